// Writes docs/reference/cli.md; with --check fails when it is out of date.
import { cliReference } from '../src/cli/help/reference.ts'
import { writeGenerated } from './generated.ts'

const page = cliReference({
  env: { NO_COLOR: '1' },
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: '/',
})
writeGenerated('docs/reference/cli.md', page, 'scripts/write-cli-reference.ts', process.argv.slice(2))
