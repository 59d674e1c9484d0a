/// An archive of the log: JSON Lines, one event a line, so that any tool can read it.
///
/// The first line is `{"format": "entitled.log", "version": 2, "epoch": …, "from": …, "to": …, "previousHash": "…"}`.
/// Each event is an object with the columns of table `events` that are not null, by their names: numbers, booleans and
/// texts as they are, UUIDs in their usual form, times in microseconds since 1970-01-01T00:00:00Z, bytes in hexadecimal,
/// `payload` as the very JSON text that the hash covers; and `texts`, an object from digest to signed text, for those
/// texts that no line shortly before had; `erasedTexts`, an object from digest to pseudonym, for those that cannot be read because
/// their account was erased; and `accounts`, an object from pseudonym to account, for those accounts of the event
/// that no line shortly before had. An account that was erased is in no archive that was written since.
///
/// The last line is `{"count": …, "texts": …, "lastHash": "…", "erased": {"secret": "…",
/// "accounts": [{"digest": "…", "environment": "…"}, …]}}`: what recognises the accounts that were erased.
///
/// Every line has a last member `"digest": "…"`, in lower-case hexadecimal: SHA-256 over the 32 bytes of the digest of the
/// line before (zeros for the first line) and the bytes of the line up to the comma before `"digest"`. The digest of the
/// last line stands for the whole file.
enum ArchiveFormat {
    static let name = "entitled.log"
    static let version: Int64 = 2
    /// So many digests are remembered on writing; a text that was not written for longer is written again.
    static let rememberedDigests = 4_096
}
