import CCurl

/// The handle of a libcurl transfer, used only on the thread of the transfers.
struct EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var list: UnsafeMutablePointer<curl_slist>?

    init() {
        // Fails only without memory.
        guard let pointer = curl_easy_init() else { fatalError("libcurl has no memory for a transfer") }
        self.pointer = pointer
    }

    func set(_ option: CURLoption, _ value: Int) {
        check(springbar_easy_set_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) {
        check(springbar_easy_set_text(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        check(springbar_easy_set_pointer(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ receiver: TransferCallbacks.Receiver) {
        check(springbar_easy_set_receiver(pointer, option, receiver), option)
    }

    mutating func setFields(_ fields: [String]) {
        for field in fields { list = curl_slist_append(list, field) }
        check(springbar_easy_set_list(pointer, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        springbar_easy_get_long(pointer, info, &value)
        return value
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        springbar_easy_get_text(pointer, info, &value)
        return value.map { String(cString: $0) }
    }

    /// Frees the handle, which must not be used afterwards.
    func free() {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(list)
    }

    /// Fails loudly: an unknown option would be a missing limit.
    private func check(_ code: CURLcode, _ option: CURLoption) {
        precondition(
            code == CURLE_OK,
            "libcurl refuses option \(option.rawValue): \(String(cString: curl_easy_strerror(code)))"
        )
    }
}
