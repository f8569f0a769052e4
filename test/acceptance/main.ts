import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { argv, env, execPath, exit, stderr } from 'node:process'
import { parseArgs } from 'node:util'

const USAGE = `Usage: npm run acceptance -- --url <URL> --key <project key>
                              [--application-url <URL> --application-port <port>]
`

/** Runs the acceptance tests against a server that is already running. */
function main(): void {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'application-url': { type: 'string' },
      'application-port': { type: 'string' },
    },
  })
  if (!values.url || !values.key) {
    stderr.write(USAGE)
    exit(2)
  }
  const child = spawn(execPath, ['--test', join(import.meta.dirname, 'acceptance.test.ts')], {
    stdio: 'inherit',
    env: {
      ...env,
      ACCEPTANCE_URL: values.url,
      ACCEPTANCE_KEY: values.key,
      ACCEPTANCE_APPLICATION_URL: values['application-url'] ?? '',
      ACCEPTANCE_APPLICATION_PORT: values['application-port'] ?? '0',
    },
  })
  child.on('exit', (code) => exit(code ?? 1))
}

main()
