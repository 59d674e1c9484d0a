/// An archive of the log: JSON Lines, one event a line, so that any tool can read it.
///
/// The first line is `{"format": "entitled.log", "version": 1, "epoch": …, "from": …, "to": …, "previousHash": "…"}`.
/// Each event is an object with the columns of table `events` that are not null, by their names: numbers, booleans and
/// texts as they are, UUIDs in their usual form, times in microseconds since 1970-01-01T00:00:00Z, bytes in hexadecimal,
/// `payload` as the very JSON text that the hash covers; and `texts`, an object from digest to signed text, for those
/// texts that no line shortly before had; `erasedTexts`, an object from digest to pseudonym, for those that cannot be read because
/// their account was erased; and `accounts`, an object from pseudonym to account, for those accounts of the event
/// that no line shortly before had. An account that was erased is in no archive that was written since.
///
/// The last line is `{"count": …, "texts": …, "lastHash": "…", "accounts": …, "accountsHash": "…", "erased": {"secret": "…",
/// "accounts": [{"digest": "…", "environment": "…"}, …]}}`: what recognises the accounts that were erased, and SHA-256 over
/// the pairs of pseudonym and account, 32 bytes each, in the order of the file.
enum ArchiveFormat {
    static let name = "entitled.log"
    static let version: Int64 = 1
    /// So many digests are remembered on writing; a text that was not written for longer is written again.
    static let rememberedDigests = 4_096
}
