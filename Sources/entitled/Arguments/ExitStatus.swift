/// Exit codes, as sysexits names them.
enum ExitStatus: Int32 {
    case ok = 0
    /// A check that the command made did not hold: a scenario failed, a catalog is faulty.
    case checkFailed = 1
    /// The command was used wrongly (EX_USAGE).
    case usage = 64
    /// The input data was incorrect (EX_DATAERR).
    case dataError = 65
    /// An input file did not exist or was not readable (EX_NOINPUT).
    case noInput = 66
    /// A service is unavailable (EX_UNAVAILABLE).
    case unavailable = 69
    /// An internal software error (EX_SOFTWARE).
    case software = 70
    /// A temporary failure (EX_TEMPFAIL).
    case temporaryFailure = 75
    /// Something was found in an unconfigured or misconfigured state (EX_CONFIG).
    case configuration = 78
}
