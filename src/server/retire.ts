/**
 * How long a worker that is replaced keeps its connections. Its responses say `connection: close`, so that clients
 * open new connections, which other workers accept. Closing at once would break requests on their way.
 */
export const RETIRE_NOTICE_MS = 1_500
