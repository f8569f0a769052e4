/** Returns what the client says about itself, for the log. */
export function clientInfoFrom({
  header,
}: {
  header(name: string): string | undefined
}): Readonly<Record<string, string | undefined>> | null {
  const framework = header('x-framework')
  const source = header('x-source')
  return framework || source
    ? {
        framework: framework?.slice(0, 64),
        source: source?.slice(0, 64),
        runtime: header('x-runtime')?.slice(0, 64),
        sdk_version: header('x-sdk-version')?.slice(0, 32),
      }
    : null
}
