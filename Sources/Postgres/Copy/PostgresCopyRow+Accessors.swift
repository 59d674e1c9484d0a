// Typed access to fields. Each function throws `PostgresError` of kind `decoding` for another type, and the ones without
// `optional` in the name for NULL as well.
extension PostgresCopyRow {
    /// Reads a `bool`.
    package func bool(_ column: Int) throws(PostgresError) -> Bool {
        try unsafe required(column, "a bool") { unsafe FieldDecoder.bool($0) }
    }

    /// Reads a `bool`; nil for NULL.
    package func optionalBool(_ column: Int) throws(PostgresError) -> Bool? {
        try unsafe optional(column, "a bool") { unsafe FieldDecoder.bool($0) }
    }

    /// Reads an `int2`.
    package func int16(_ column: Int) throws(PostgresError) -> Int16 {
        try unsafe required(column, "an int2") { unsafe FieldDecoder.int16($0) }
    }

    /// Reads an `int2`; nil for NULL.
    package func optionalInt16(_ column: Int) throws(PostgresError) -> Int16? {
        try unsafe optional(column, "an int2") { unsafe FieldDecoder.int16($0) }
    }

    /// Reads an `int4` or `int2`.
    package func int32(_ column: Int) throws(PostgresError) -> Int32 {
        try unsafe required(column, "an int4") { unsafe FieldDecoder.int32($0) }
    }

    /// Reads an `int4` or `int2`; nil for NULL.
    package func optionalInt32(_ column: Int) throws(PostgresError) -> Int32? {
        try unsafe optional(column, "an int4") { unsafe FieldDecoder.int32($0) }
    }

    /// Reads an `int8`, `int4` or `int2`.
    package func int64(_ column: Int) throws(PostgresError) -> Int64 {
        try unsafe required(column, "an int8") { unsafe FieldDecoder.int64($0) }
    }

    /// Reads an `int8`, `int4` or `int2`; nil for NULL.
    package func optionalInt64(_ column: Int) throws(PostgresError) -> Int64? {
        try unsafe optional(column, "an int8") { unsafe FieldDecoder.int64($0) }
    }

    /// Reads a `float8` or `float4`.
    package func double(_ column: Int) throws(PostgresError) -> Double {
        try unsafe required(column, "a float8") { unsafe FieldDecoder.double($0) }
    }

    /// Reads a `float8` or `float4`; nil for NULL.
    package func optionalDouble(_ column: Int) throws(PostgresError) -> Double? {
        try unsafe optional(column, "a float8") { unsafe FieldDecoder.double($0) }
    }

    /// Reads text: `text`, `varchar`, `bpchar`, `name` or `json`.
    package func text(_ column: Int) throws(PostgresError) -> String {
        try unsafe required(column, "text") { unsafe FieldDecoder.text($0) }
    }

    /// Reads text: `text`, `varchar`, `bpchar`, `name` or `json`; nil for NULL.
    package func optionalText(_ column: Int) throws(PostgresError) -> String? {
        try unsafe optional(column, "text") { unsafe FieldDecoder.text($0) }
    }

    /// Reads a `bytea`, copied.
    package func bytes(_ column: Int) throws(PostgresError) -> [UInt8] {
        try unsafe required(column, "bytea") { unsafe FieldDecoder.bytes($0) }
    }

    /// Reads a `bytea`, copied; nil for NULL.
    package func optionalBytes(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try unsafe optional(column, "bytea") { unsafe FieldDecoder.bytes($0) }
    }

    /// Reads a `uuid`.
    package func uuid(_ column: Int) throws(PostgresError) -> UUIDBytes {
        try unsafe required(column, "a uuid") { unsafe FieldDecoder.uuid($0) }
    }

    /// Reads a `uuid`; nil for NULL.
    package func optionalUuid(_ column: Int) throws(PostgresError) -> UUIDBytes? {
        try unsafe optional(column, "a uuid") { unsafe FieldDecoder.uuid($0) }
    }

    /// Reads a `timestamptz` as microseconds since 1970; `Int64.max` is `infinity`, `Int64.min` is `-infinity`.
    package func timestamp(_ column: Int) throws(PostgresError) -> Int64 {
        try unsafe required(column, "a timestamptz") { unsafe FieldDecoder.timestamp($0) }
    }

    /// Reads a `timestamptz` as microseconds since 1970; `Int64.max` is `infinity`, `Int64.min` is `-infinity`; nil for NULL.
    package func optionalTimestamp(_ column: Int) throws(PostgresError) -> Int64? {
        try unsafe optional(column, "a timestamptz") { unsafe FieldDecoder.timestamp($0) }
    }

    /// Reads a `jsonb` or `json` as its UTF-8 text, copied.
    package func json(_ column: Int) throws(PostgresError) -> [UInt8] {
        try unsafe required(column, "jsonb") { unsafe FieldDecoder.json($0) }
    }

    /// Reads a `jsonb` or `json` as its UTF-8 text, copied; nil for NULL.
    package func optionalJson(_ column: Int) throws(PostgresError) -> [UInt8]? {
        try unsafe optional(column, "jsonb") { unsafe FieldDecoder.json($0) }
    }
}

// Typed access to one-dimensional arrays, whose elements may be NULL.
extension PostgresCopyRow {
    /// Reads an array of `bool`.
    package func boolArray(_ column: Int) throws(PostgresError) -> [Bool?] {
        try unsafe required(column, "an array of bool") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bool($0) }
        }
    }

    /// Reads an array of `bool`; nil for NULL.
    package func optionalBoolArray(_ column: Int) throws(PostgresError) -> [Bool?]? {
        try unsafe optional(column, "an array of bool") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bool($0) }
        }
    }

    /// Reads an array of `int2`.
    package func int16Array(_ column: Int) throws(PostgresError) -> [Int16?] {
        try unsafe required(column, "an array of int2") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int16($0) }
        }
    }

    /// Reads an array of `int2`; nil for NULL.
    package func optionalInt16Array(_ column: Int) throws(PostgresError) -> [Int16?]? {
        try unsafe optional(column, "an array of int2") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int16($0) }
        }
    }

    /// Reads an array of `int4` or `int2`.
    package func int32Array(_ column: Int) throws(PostgresError) -> [Int32?] {
        try unsafe required(column, "an array of int4") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int32($0) }
        }
    }

    /// Reads an array of `int4` or `int2`; nil for NULL.
    package func optionalInt32Array(_ column: Int) throws(PostgresError) -> [Int32?]? {
        try unsafe optional(column, "an array of int4") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int32($0) }
        }
    }

    /// Reads an array of `int8`, `int4` or `int2`.
    package func int64Array(_ column: Int) throws(PostgresError) -> [Int64?] {
        try unsafe required(column, "an array of int8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int64($0) }
        }
    }

    /// Reads an array of `int8`, `int4` or `int2`; nil for NULL.
    package func optionalInt64Array(_ column: Int) throws(PostgresError) -> [Int64?]? {
        try unsafe optional(column, "an array of int8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.int64($0) }
        }
    }

    /// Reads an array of `float8` or `float4`.
    package func doubleArray(_ column: Int) throws(PostgresError) -> [Double?] {
        try unsafe required(column, "an array of float8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.double($0) }
        }
    }

    /// Reads an array of `float8` or `float4`; nil for NULL.
    package func optionalDoubleArray(_ column: Int) throws(PostgresError) -> [Double?]? {
        try unsafe optional(column, "an array of float8") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.double($0) }
        }
    }

    /// Reads an array of `text` or `varchar`.
    package func textArray(_ column: Int) throws(PostgresError) -> [String?] {
        try unsafe required(column, "an array of text") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.text($0) }
        }
    }

    /// Reads an array of `text` or `varchar`; nil for NULL.
    package func optionalTextArray(_ column: Int) throws(PostgresError) -> [String?]? {
        try unsafe optional(column, "an array of text") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.text($0) }
        }
    }

    /// Reads an array of `bytea`.
    package func bytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]?] {
        try unsafe required(column, "an array of bytea") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bytes($0) }
        }
    }

    /// Reads an array of `bytea`; nil for NULL.
    package func optionalBytesArray(_ column: Int) throws(PostgresError) -> [[UInt8]?]? {
        try unsafe optional(column, "an array of bytea") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.bytes($0) }
        }
    }

    /// Reads an array of `uuid`.
    package func uuidArray(_ column: Int) throws(PostgresError) -> [UUIDBytes?] {
        try unsafe required(column, "an array of uuid") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.uuid($0) }
        }
    }

    /// Reads an array of `uuid`; nil for NULL.
    package func optionalUuidArray(_ column: Int) throws(PostgresError) -> [UUIDBytes?]? {
        try unsafe optional(column, "an array of uuid") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.uuid($0) }
        }
    }

    /// Reads an array of `timestamptz`, in microseconds since 1970.
    package func timestampArray(_ column: Int) throws(PostgresError) -> [Int64?] {
        try unsafe required(column, "an array of timestamptz") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.timestamp($0) }
        }
    }

    /// Reads an array of `timestamptz`, in microseconds since 1970; nil for NULL.
    package func optionalTimestampArray(_ column: Int) throws(PostgresError) -> [Int64?]? {
        try unsafe optional(column, "an array of timestamptz") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.timestamp($0) }
        }
    }

    /// Reads an array of `jsonb` or `json`, as UTF-8 texts.
    package func jsonArray(_ column: Int) throws(PostgresError) -> [[UInt8]?] {
        try unsafe required(column, "an array of jsonb") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.json($0) }
        }
    }

    /// Reads an array of `jsonb` or `json`, as UTF-8 texts; nil for NULL.
    package func optionalJsonArray(_ column: Int) throws(PostgresError) -> [[UInt8]?]? {
        try unsafe optional(column, "an array of jsonb") {
            unsafe FieldDecoder.array($0) { unsafe FieldDecoder.json($0) }
        }
    }
}
