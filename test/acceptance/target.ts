/** The server under test. */
export interface Target {
  url: string
  key: string
  /** URL under which the server reaches the application of the flows; empty: 127.0.0.1. */
  applicationUrl: string
  /** Port on which the application listens; 0: any. */
  applicationPort: number
  close(): Promise<void>
}

/** Returns the server that `npm run acceptance` names, or starts one on this machine (in `npm test`). */
export async function startTarget(): Promise<Target> {
  const { ACCEPTANCE_URL: url, ACCEPTANCE_KEY: key } = process.env
  if (url && key)
    return {
      url,
      key,
      applicationUrl: process.env['ACCEPTANCE_APPLICATION_URL'] ?? '',
      applicationPort: Number(process.env['ACCEPTANCE_APPLICATION_PORT'] ?? 0),
      close: async () => {},
    }
  // Imported here, so that a run against another server loads nothing of this one.
  const { startLocalServer } = await import('./local-server.ts')
  return { ...(await startLocalServer()), applicationUrl: '', applicationPort: 0 }
}
