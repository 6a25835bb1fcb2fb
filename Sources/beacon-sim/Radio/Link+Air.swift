import HCI

// What is on air, and who hears it.
extension Link {
    mutating func advertise(
        _ slot: Int, _ generation: UInt64, due: Int64, now: Int64, _ body: (LinkEvent) -> Void
    ) {
        guard var transmission = transmissions[slot], transmission.generation == generation else { return }
        // Moved out and back, so that its arrays are changed in place.
        transmissions[slot] = nil
        if now - due <= Link.longestLag {
            longestSlip = max(longestSlip, now - due)
            readdress(&transmission, due, body)
            deliver(&transmission, due, body)
        } else {
            skipped += 1
        }
        schedule.insert(.advert(slot: slot, generation: generation), due: due + transmission.gap())
        transmissions[slot] = transmission
    }

    private func readdress(_ transmission: inout Transmission, _ due: Int64, _ body: (LinkEvent) -> Void) {
        guard case .beacon(let beacon) = transmission.sender, let rotation = scenario.beacons[beacon].rotation,
            let opened
        else { return }
        let number = rotation.number(after: due - opened)
        guard number != transmission.addressNumber else { return }
        let address = DeviceAddress(rotation.address(number), .random)
        transmission.change(to: address, number: number)
        body(.readdressed(beacon, address, at: due))
    }

    private mutating func deliver(_ transmission: inout Transmission, _ due: Int64, _ body: (LinkEvent) -> Void) {
        let position = position(of: transmission, due)
        for host in controllers.indices where transmission.sender != .host(host) {
            guard let scan = controllers[host]?.scan(for: transmission) else { continue }
            let (channel, isInWindow) = scan.channel(after: due - scanStarts[host])
            guard isInWindow || !scenario.hosts.honoursWindow else {
                body(.missed(host: host, transmission.sender, .outside))
                continue
            }
            guard let mean = strength(of: transmission, position, host, channel, due) else {
                body(.missed(host: host, transmission.sender, .lost))
                continue
            }
            if controllers[host]?.hasReported(transmission.address) == true { continue }
            let rssi = transmission.sample(mean: mean)
            guard rssi >= scenario.hosts.sensitivity else {
                body(.missed(host: host, transmission.sender, .weak))
                continue
            }
            guard controllers[host]?.reports(transmission.address) == true else { continue }
            transmission.set(rssi)
            report(transmission, to: host, asked: scan.isActive, due, body)
        }
    }

    private func position(of transmission: Transmission, _ due: Int64) -> Position? {
        guard case .beacon(let beacon) = transmission.sender else { return nil }
        return scenario.beacons[beacon].whereabouts.position(after: due - transmission.since)
    }

    /// How strong a host hears an advert on average, dBm, before noise; nil if the air loses it.
    private mutating func strength(
        of transmission: Transmission, _ position: Position?, _ host: Int, _ channel: Int, _ due: Int64
    ) -> Double? {
        guard case .beacon(let beacon) = transmission.sender, !receptions[host].isEmpty else {
            return transmission.strength.mean
        }
        if receptions[host][beacon].loses(scenario.beacons[beacon].loss, at: due) { return nil }
        let fading = scenario.beacons[beacon].fading
        guard let position else {
            return transmission.strength.mean + receptions[host][beacon].gain(channel: nil, fading)
        }
        let metres = position.distance(to: scenario.hosts.position(host))
        return scenario.pathLoss.strength(transmission.strength.mean, metres: metres)
            + receptions[host][beacon].gain(channel: channel, fading)
    }

    /// Brings the air in line with what a host's controller advertises now.
    mutating func change(
        _ host: Int, from before: [VirtualController.Advertisement], _ cause: AirCause, _ now: Int64,
        _ body: (LinkEvent) -> Void
    ) {
        let after = controllers[host]?.advertisements ?? []
        guard after != before else { return }
        for slot in 0..<VirtualController.setLimit {
            change(
                host, slot, from: before.first { $0.slot == slot }, to: after.first { $0.slot == slot }, cause, now,
                body)
        }
    }

    private mutating func change(
        _ host: Int, _ slot: Int, from before: VirtualController.Advertisement?,
        to after: VirtualController.Advertisement?, _ cause: AirCause, _ now: Int64, _ body: (LinkEvent) -> Void
    ) {
        guard after != before else { return }
        body(.air(host: host, set: slot, after, cause: cause, at: now))
        let place = scenario.beacons.count + host * VirtualController.setLimit + slot
        guard let after else {
            transmissions[place] = nil
            return
        }
        generation += 1
        let strength = Strength(mean: Double(scenario.hosts.rssi), deviation: 0)
        let next = Transmission(
            after, host: host, strength: strength, seed: scenario.seed, generation: generation, since: now)
        // Other data goes out with the next advertising event, at the rhythm that is running.
        let isSame = before?.interval == after.interval && before?.address == after.address
        if transmissions[place] != nil, isSame, before?.type == after.type, before?.primaryPHY == after.primaryPHY {
            transmissions[place]?.replace(with: next)
        } else {
            transmissions[place] = next
            schedule.insert(.advert(slot: place, generation: generation), due: now)
        }
    }
}
