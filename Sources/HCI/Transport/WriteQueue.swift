/// Bytes that wait to be written, in order and bounded.
struct WriteQueue {
    private var bytes: [UInt8] = []
    private var head = 0
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { bytes.count - head }

    /// Puts bytes at the end; false, and nothing changed, when they do not fit.
    mutating func append(_ more: [UInt8]) -> Bool {
        guard count + more.count <= limit else { return false }
        // The written part goes once it is the larger one, so that each byte is moved at most once on average.
        if head > bytes.count / 2 {
            bytes.removeFirst(head)
            head = 0
        }
        bytes.append(contentsOf: more)
        return true
    }

    /// Lets `write` take bytes from the front until none are left or it takes none (nil); returns how many it took.
    mutating func flush<Failure: Error>(
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Int?
    ) throws(Failure) -> Int {
        var taken = 0
        while count > 0 {
            let from = head
            // A Result, because the library's `withUnsafeBytes` rethrows without the type.
            let outcome = bytes.withUnsafeBytes { all -> Result<Int?, Failure> in
                do throws(Failure) {
                    return .success(try write(UnsafeRawBufferPointer(rebasing: all[from...])))
                } catch {
                    return .failure(error)
                }
            }
            guard let n = try outcome.get(), n > 0 else { break }
            head += n
            taken += n
        }
        if count == 0 {
            bytes.removeAll(keepingCapacity: true)
            head = 0
        }
        return taken
    }
}
