/// A value in the printed form of a frame.
public enum FieldValue: Hashable, Sendable {
    case text(String)
    case integer(Int)
    case decimal(Double)
    case null
}

extension Frame {
    /// The frame as a list of named values, to be printed in this order.
    ///
    /// Every frame of a format has the same fields, except for two that tell what is unusual: `trailing`, the bytes
    /// behind an iBeacon if there are any, and `sd_len`, the bytes of service data of an Eddystone UID which lacks
    /// some of its reserved ones. What a beacon can leave out (`mfg_reserved`, `temp_c`) is null then. Powers are as
    /// they came.
    public var fields: [(name: String, value: FieldValue)] {
        switch self {
        case .ibeacon(let beacon): beacon.fields
        case .altbeacon(let beacon): beacon.fields
        case .eddystoneUID(let beacon): beacon.fields
        case .eddystoneURL(let beacon): beacon.fields
        case .eddystoneTLM(let telemetry): telemetry.fields
        case .eddystoneEncryptedTLM(let telemetry): telemetry.fields
        case .eddystoneEID(let beacon): beacon.fields
        }
    }
}

private typealias Fields = [(name: String, value: FieldValue)]

extension IBeacon {
    fileprivate var fields: Fields {
        var fields: Fields = [
            ("format", .text(BeaconFormat.ibeacon.name)),
            ("uuid", .text(uuid.description)),
            ("major", .integer(Int(major))),
            ("minor", .integer(Int(minor))),
            ("power", .integer(Int(power))),
        ]
        let trailing = trailing
        if !trailing.isEmpty { fields.append(("trailing", .text(Hexadecimal.text(trailing)))) }
        return fields
    }
}

extension AltBeacon {
    fileprivate var fields: Fields {
        [
            ("format", .text(BeaconFormat.altbeacon.name)),
            ("mfg_id", .integer(Int(company))),
            ("beacon_id", .text(Hexadecimal.text(identity.bytes))),
            ("uuid", .text(uuid.description)),
            ("id2", .integer(Int(major))),
            ("id3", .integer(Int(minor))),
            ("power", .integer(Int(power))),
            ("mfg_reserved", reserved.map { .integer(Int($0)) } ?? .null),
        ]
    }
}

extension EddystoneUID {
    fileprivate var fields: Fields {
        var fields: Fields = [
            ("format", .text(BeaconFormat.eddystoneUID.name)),
            ("power", .integer(Int(power))),
            ("namespace", .text(Hexadecimal.text(identity.bytes.prefix(10)))),
            ("instance", .text(Hexadecimal.text(identity.bytes.dropFirst(10)))),
        ]
        if serviceDataLength < Self.length { fields.append(("sd_len", .integer(serviceDataLength))) }
        return fields
    }
}

extension EddystoneURL {
    fileprivate var fields: Fields {
        [
            ("format", .text(BeaconFormat.eddystoneURL.name)),
            ("power", .integer(Int(power))),
            ("url", .text(url)),
        ]
    }
}

extension EddystoneTLM {
    fileprivate var fields: Fields {
        [
            ("format", .text("eddystone-tlm")),
            ("version", .integer(Int(Self.version))),
            ("vbatt_mv", .integer(Int(battery))),
            ("temp_c", temperature.map { .decimal($0) } ?? .null),
            ("adv_cnt", .integer(Int(adverts))),
            ("sec_cnt_ds", .integer(Int(uptimeDeciseconds))),
        ]
    }
}

extension EddystoneEncryptedTLM {
    fileprivate var fields: Fields {
        [
            ("format", .text("eddystone-etlm")),
            ("version", .integer(Int(Self.version))),
            ("etlm", .text(Hexadecimal.text(ciphertext))),
            ("salt", .text(Hexadecimal.text(salt.bigEndianBytes))),
            ("mic", .text(Hexadecimal.text(integrityCheck.bigEndianBytes))),
        ]
    }
}

extension EddystoneEID {
    fileprivate var fields: Fields {
        [
            ("format", .text("eddystone-eid")),
            ("power", .integer(Int(power))),
            ("eid", .text(Hexadecimal.text(identifier.bigEndianBytes))),
        ]
    }
}
