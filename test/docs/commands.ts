import { globSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Io } from '../../src/cli/io.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { TOOLKITS_FOLDER } from '../fixtures/built-in-toolkits.ts'

/** Commands by their names (`tools list`), and the long flags of each. */
export type Commands = ReadonlyMap<string, ReadonlySet<string>>

export function allCommands(): Commands {
  const nowhere = { write: () => true } as unknown as Io['stdout']
  const program = buildProgram(
    { env: {}, stdout: nowhere, stderr: nowhere, stdin: process.stdin, cwd: '/' } as Io,
    () => {},
  )
  const flagsOf = (command: Command) =>
    command.options.flatMap(({ long, negate }) =>
      long ? [long, ...(negate ? [] : [`--no-${long.slice(2)}`])] : [],
    )
  const everywhere = [...flagsOf(program), '--help']
  return new Map([
    ['', new Set(everywhere)],
    ...program.commands.flatMap((command) => [
      [command.name(), new Set([...everywhere, ...flagsOf(command)])] as const,
      ...command.commands.map(
        (inner) =>
          [`${command.name()} ${inner.name()}`, new Set([...everywhere, ...flagsOf(inner)])] as const,
      ),
    ]),
  ])
}

const WITH_VALUE = ['--url', '--api-key', '--org-api-key', '--api-version']

/** The inputs of the tool that a call of `tools execute` names; they are flags of it. */
const inputFlags = (words: readonly string[]): Set<string> =>
  new Set(
    words
      .filter((word) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/.test(word))
      .flatMap((slug) => globSync(`${TOOLKITS_FOLDER}*/tools/${slug}.json`))
      .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).input.properties))
      .map((name) => `--${name.replaceAll('_', '-')}`),
  )

/** Reports the faults of the calls of `patchbay` in a shell line. */
export function* commandFaults(line: string, commands: Commands): Iterable<string> {
  // A quoted text is a value, whatever it contains.
  const plain = line.replace(/'[^']*'/g, 'VALUE').replace(/"(?!\$\()[^"$]*(?:\$\w+[^"]*)?"/g, 'VALUE')
  for (const [, call = ''] of plain.matchAll(/(?:^|[\s(])patchbay ([^|;&)>]*)/g)) {
    const words = call.split(/\s+/).filter(Boolean)
    while (words[0]?.startsWith('--') && words.length > 1)
      words.splice(0, WITH_VALUE.includes(words[0]) ? 2 : 1)
    const [first = '', second = ''] = words
    if (first.startsWith('-') || first.startsWith('<')) continue
    const name = commands.has(`${first} ${second}`) ? `${first} ${second}` : first
    const isGroup = [...commands.keys()].some((key) => key.startsWith(`${first} `))
    if (!commands.has(name) || (isGroup && name === first && second && !second.startsWith('-'))) {
      yield `patchbay ${first} ${second}`.trim() + ' is no command'
      continue
    }
    for (const flag of words
      .filter((word) => word.startsWith('--'))
      .map((word) => word.split('=')[0] as string)) {
      const isInput = name === 'tools execute' && inputFlags(words).has(flag)
      if (!isInput && !commands.get(name)?.has(flag)) yield `patchbay ${name} has no ${flag}`
    }
  }
}
