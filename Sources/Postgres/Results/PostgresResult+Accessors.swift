// Typed access to cells. Each function throws `PostgresError` of kind `decoding` for another type, and the ones without
// `optional` in the name for NULL as well.
extension PostgresResult {
    /// Reads a `bool`.
    package func bool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool {
        try unsafe required(row, column, "a bool") { unsafe FieldDecoder.bool($0) }
    }

    /// Reads a `bool`; nil for NULL.
    package func optionalBool(_ row: Int, _ column: Int) throws(PostgresError) -> Bool? {
        try unsafe optional(row, column, "a bool") { unsafe FieldDecoder.bool($0) }
    }

    /// Reads an `int2`.
    package func int16(_ row: Int, _ column: Int) throws(PostgresError) -> Int16 {
        try unsafe required(row, column, "an int2") { unsafe FieldDecoder.int16($0) }
    }

    /// Reads an `int2`; nil for NULL.
    package func optionalInt16(_ row: Int, _ column: Int) throws(PostgresError) -> Int16? {
        try unsafe optional(row, column, "an int2") { unsafe FieldDecoder.int16($0) }
    }

    /// Reads an `int4` or `int2`.
    package func int32(_ row: Int, _ column: Int) throws(PostgresError) -> Int32 {
        try unsafe required(row, column, "an int4") { unsafe FieldDecoder.int32($0) }
    }

    /// Reads an `int4` or `int2`; nil for NULL.
    package func optionalInt32(_ row: Int, _ column: Int) throws(PostgresError) -> Int32? {
        try unsafe optional(row, column, "an int4") { unsafe FieldDecoder.int32($0) }
    }

    /// Reads an `int8`, `int4` or `int2`.
    package func int64(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        try unsafe required(row, column, "an int8") { unsafe FieldDecoder.int64($0) }
    }

    /// Reads an `int8`, `int4` or `int2`; nil for NULL.
    package func optionalInt64(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
        try unsafe optional(row, column, "an int8") { unsafe FieldDecoder.int64($0) }
    }

    /// Reads a `float8` or `float4`.
    package func double(_ row: Int, _ column: Int) throws(PostgresError) -> Double {
        try unsafe required(row, column, "a float8") { unsafe FieldDecoder.double($0) }
    }

    /// Reads a `float8` or `float4`; nil for NULL.
    package func optionalDouble(_ row: Int, _ column: Int) throws(PostgresError) -> Double? {
        try unsafe optional(row, column, "a float8") { unsafe FieldDecoder.double($0) }
    }

    /// Reads text: `text`, `varchar`, `bpchar`, `name` or `json`.
    package func text(_ row: Int, _ column: Int) throws(PostgresError) -> String {
        try unsafe required(row, column, "text") { unsafe FieldDecoder.text($0) }
    }

    /// Reads text: `text`, `varchar`, `bpchar`, `name` or `json`; nil for NULL.
    package func optionalText(_ row: Int, _ column: Int) throws(PostgresError) -> String? {
        try unsafe optional(row, column, "text") { unsafe FieldDecoder.text($0) }
    }

    /// Reads a `bytea`, copied.
    package func bytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        try unsafe required(row, column, "bytea") { unsafe FieldDecoder.bytes($0) }
    }

    /// Reads a `bytea`, copied; nil for NULL.
    package func optionalBytes(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8]? {
        try unsafe optional(row, column, "bytea") { unsafe FieldDecoder.bytes($0) }
    }

    /// Reads a `uuid`.
    package func uuid(_ row: Int, _ column: Int) throws(PostgresError) -> UUIDBytes {
        try unsafe required(row, column, "a uuid") { unsafe FieldDecoder.uuid($0) }
    }

    /// Reads a `uuid`; nil for NULL.
    package func optionalUuid(_ row: Int, _ column: Int) throws(PostgresError) -> UUIDBytes? {
        try unsafe optional(row, column, "a uuid") { unsafe FieldDecoder.uuid($0) }
    }

    /// Reads a `timestamptz` as microseconds since 1970; `Int64.max` is `infinity`, `Int64.min` is `-infinity`.
    package func timestamp(_ row: Int, _ column: Int) throws(PostgresError) -> Int64 {
        try unsafe required(row, column, "a timestamptz") { unsafe FieldDecoder.timestamp($0) }
    }

    /// Reads a `timestamptz` as microseconds since 1970; `Int64.max` is `infinity`, `Int64.min` is `-infinity`; nil for NULL.
    package func optionalTimestamp(_ row: Int, _ column: Int) throws(PostgresError) -> Int64? {
        try unsafe optional(row, column, "a timestamptz") { unsafe FieldDecoder.timestamp($0) }
    }

    /// Reads a `jsonb` or `json` as its UTF-8 text, copied.
    package func json(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8] {
        try unsafe required(row, column, "jsonb") { unsafe FieldDecoder.json($0) }
    }

    /// Reads a `jsonb` or `json` as its UTF-8 text, copied; nil for NULL.
    package func optionalJson(_ row: Int, _ column: Int) throws(PostgresError) -> [UInt8]? {
        try unsafe optional(row, column, "jsonb") { unsafe FieldDecoder.json($0) }
    }
}

// Typed access to one-dimensional arrays, whose elements may be NULL.
extension PostgresResult {
    /// Reads an array of `bool`.
    package func boolArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Bool?] {
        try unsafe required(row, column, "an array of bool") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bool($0) }
        }
    }

    /// Reads an array of `bool`; nil for NULL.
    package func optionalBoolArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Bool?]? {
        try unsafe optional(row, column, "an array of bool") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bool($0) }
        }
    }

    /// Reads an array of `int2`.
    package func int16Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int16?] {
        try unsafe required(row, column, "an array of int2") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int16($0) }
        }
    }

    /// Reads an array of `int2`; nil for NULL.
    package func optionalInt16Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int16?]? {
        try unsafe optional(row, column, "an array of int2") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int16($0) }
        }
    }

    /// Reads an array of `int4` or `int2`.
    package func int32Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int32?] {
        try unsafe required(row, column, "an array of int4") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int32($0) }
        }
    }

    /// Reads an array of `int4` or `int2`; nil for NULL.
    package func optionalInt32Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int32?]? {
        try unsafe optional(row, column, "an array of int4") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int32($0) }
        }
    }

    /// Reads an array of `int8`, `int4` or `int2`.
    package func int64Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?] {
        try unsafe required(row, column, "an array of int8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int64($0) }
        }
    }

    /// Reads an array of `int8`, `int4` or `int2`; nil for NULL.
    package func optionalInt64Array(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?]? {
        try unsafe optional(row, column, "an array of int8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int64($0) }
        }
    }

    /// Reads an array of `float8` or `float4`.
    package func doubleArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Double?] {
        try unsafe required(row, column, "an array of float8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.double($0) }
        }
    }

    /// Reads an array of `float8` or `float4`; nil for NULL.
    package func optionalDoubleArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Double?]? {
        try unsafe optional(row, column, "an array of float8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.double($0) }
        }
    }

    /// Reads an array of `text` or `varchar`.
    package func textArray(_ row: Int, _ column: Int) throws(PostgresError) -> [String?] {
        try unsafe required(row, column, "an array of text") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.text($0) }
        }
    }

    /// Reads an array of `text` or `varchar`; nil for NULL.
    package func optionalTextArray(_ row: Int, _ column: Int) throws(PostgresError) -> [String?]? {
        try unsafe optional(row, column, "an array of text") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.text($0) }
        }
    }

    /// Reads an array of `bytea`.
    package func bytesArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]?] {
        try unsafe required(row, column, "an array of bytea") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bytes($0) }
        }
    }

    /// Reads an array of `bytea`; nil for NULL.
    package func optionalBytesArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]?]? {
        try unsafe optional(row, column, "an array of bytea") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bytes($0) }
        }
    }

    /// Reads an array of `uuid`.
    package func uuidArray(_ row: Int, _ column: Int) throws(PostgresError) -> [UUIDBytes?] {
        try unsafe required(row, column, "an array of uuid") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.uuid($0) }
        }
    }

    /// Reads an array of `uuid`; nil for NULL.
    package func optionalUuidArray(_ row: Int, _ column: Int) throws(PostgresError) -> [UUIDBytes?]? {
        try unsafe optional(row, column, "an array of uuid") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.uuid($0) }
        }
    }

    /// Reads an array of `timestamptz`, in microseconds since 1970.
    package func timestampArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?] {
        try unsafe required(row, column, "an array of timestamptz") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.timestamp($0) }
        }
    }

    /// Reads an array of `timestamptz`, in microseconds since 1970; nil for NULL.
    package func optionalTimestampArray(_ row: Int, _ column: Int) throws(PostgresError) -> [Int64?]? {
        try unsafe optional(row, column, "an array of timestamptz") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.timestamp($0) }
        }
    }

    /// Reads an array of `jsonb` or `json`, as UTF-8 texts.
    package func jsonArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]?] {
        try unsafe required(row, column, "an array of jsonb") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.json($0) }
        }
    }

    /// Reads an array of `jsonb` or `json`, as UTF-8 texts; nil for NULL.
    package func optionalJsonArray(_ row: Int, _ column: Int) throws(PostgresError) -> [[UInt8]?]? {
        try unsafe optional(row, column, "an array of jsonb") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.json($0) }
        }
    }
}
