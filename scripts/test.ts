import { spawn } from 'node:child_process'
import { argv, execPath, exit } from 'node:process'

// Test files are processes of their own; three of them keep two cores busy while they wait for databases and servers.
const CONCURRENCY = 3
const EVERYTHING = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts']

const [...files] = argv.slice(2)
const child = spawn(execPath, [
  '--test', `--test-concurrency=${CONCURRENCY}`, '--test-global-setup=test/harness/database.ts', '--test-timeout=180000', ...(files.length ? files : EVERYTHING),
], { stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } })
child.on('exit', (code, signal) => exit(signal ? 1 : code ?? 1))
