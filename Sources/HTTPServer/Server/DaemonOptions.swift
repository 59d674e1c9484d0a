import CLibmicrohttpd

/// The option array libmicrohttpd is started with. The pointers in it must live until it has started; those to
/// functions and to the core as long as it runs.
@safe struct DaemonOptions {
    private var items: [MHD_OptionItem] = unsafe []

    /// An option with a number.
    mutating func add(_ option: MHD_OPTION, _ value: Int) {
        unsafe items.append(MHD_OptionItem(option: option, value: value, ptr_value: nil))
    }

    /// An option with a pointer.
    mutating func add(_ option: MHD_OPTION, _ pointer: UnsafeMutableRawPointer) {
        unsafe items.append(MHD_OptionItem(option: option, value: 0, ptr_value: pointer))
    }

    /// An option with a function, whose address travels as the number, and its closure.
    mutating func add<Function>(_ option: MHD_OPTION, _ function: Function, _ closure: UnsafeMutableRawPointer?) {
        unsafe items.append(
            MHD_OptionItem(option: option, value: unsafeBitCast(function, to: Int.self), ptr_value: closure)
        )
    }

    /// Lends the array with its end mark.
    func withPointer<Value>(_ body: (UnsafeMutablePointer<MHD_OptionItem>) -> Value) -> Value {
        var items = unsafe items + [MHD_OptionItem(option: .END, value: 0, ptr_value: nil)]
        return unsafe items.withUnsafeMutableBufferPointer { buffer in
            unsafe body(buffer.baseAddress!)
        }
    }
}
