export interface FirstCall {
  /** URL of the server on this machine. */
  readonly url: string
  /** The project key, if this start created it. */
  readonly key: string | undefined
  /** Path of the file with the project key, if there is one. */
  readonly keysFile: string | undefined
  /** The environment variable that has the project key where no file has it. */
  readonly keyVariable: string
}

const TOOL = 'UTILITIES_GET_CURRENT_TIME'

/** Returns a command that executes a first tool when it is pasted into a terminal of this system. */
export function firstCall(call: FirstCall, platform: string = process.platform): string {
  return platform === 'win32' ? windowsCall(call) : unixCall(call)
}

function unixCall({ url, key, keysFile, keyVariable }: FirstCall): string {
  const expression =
    key ??
    (keysFile === undefined ? `$${keyVariable}` : `$(${readKeyCommand(keysFile.replaceAll("'", "'\\''"))})`)
  return [
    `curl -s ${url}/api/v3.1/tools/execute/${TOOL}`,
    `-H "x-api-key: ${expression}"`,
    `-H 'content-type: application/json'`,
    `-d '{"arguments":{"timezone":"Europe/Paris"}}'`,
  ].join(' ')
}

const readKeyCommand = (file: string): string =>
  `sed -n 's/.*"project_api_key": "\\(.*\\)".*/\\1/p' '${file}'`

// `cmd` and PowerShell have different quotes and variables. What both read in the same way is used: `curl.exe`, because
// `curl` is another command in PowerShell, arguments without quotes in them, and this program, which reads the key.
function windowsCall({ url, key, keysFile, keyVariable }: FirstCall): string {
  if (key === undefined && keysFile !== undefined) return `patchbay tools execute ${TOOL}`
  return [
    `curl.exe -s ${url}/api/v3.1/tools/execute/${TOOL}`,
    `-H "x-api-key: ${key ?? `value of ${keyVariable}`}"`,
    '-H "content-type: application/json"',
    '-d "{}"',
  ].join(' ')
}
