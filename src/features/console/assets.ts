/** A file for browsers, as it is and compressed. */
export interface ConsoleFile {
  type: string
  bytes: Buffer
  brotli: Buffer
  gzip: Buffer
}

/** The console as browsers load it. */
export interface ConsoleBundle {
  /** Names of files: the module that starts the console, its style, and what it imports at once. */
  script: string
  style: string | undefined
  preload: readonly string[]
  /** Files by name. A name contains the hash of the content. */
  files: ReadonlyMap<string, ConsoleFile>
}

export interface ConsoleAssets {
  /** Returns the bundle, which may have to be built first. @throws Error if it cannot be built */
  get(): Promise<ConsoleBundle>
  /** Starts to build the bundle, so that the first request finds it. */
  prepare(): void
  close(): Promise<void>
}
