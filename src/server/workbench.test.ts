import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBubblewrapDriver } from '../sandbox/index.ts'
import { StartupError } from '../platform/startup-error.ts'
import { sandboxBytes, workbenchOptions } from './workbench.ts'

const CONFIG = {
  role: 'all',
  wireBrand: 'service',
  fileMegabytesMax: 50,
  workbenchDriver: 'remote',
  workbenchRemoteUrl: undefined,
  workbenchRemoteToken: undefined,
  workbenchSandboxesMax: 20,
  workbenchMemoryMegabytes: undefined,
  workers: 1,
  workbenchWarm: 1,
  workbenchPackagesDir: undefined,
  workbenchIdleMinutes: 10,
  workbenchHoursMax: 24,
  workbenchMegabytesPerSession: 1_000,
  workbenchSearchTool: undefined,
} as const

test('workbench settings: the driver is the one that is named, and none runs code where it is disabled', async () => {
  const names = ['wasm', 'remote'] as const
  for (const workbenchDriver of names) {
    const config = { ...CONFIG, workbenchDriver, workbenchRemoteUrl: 'https://sandboxes.example/v1' }
    const options = workbenchOptions(config, '/nowhere')
    assert.equal(options?.driver.name, workbenchDriver)
    await options?.driver.close()
  }
  assert.equal(workbenchOptions({ ...CONFIG, workbenchDriver: 'disabled' }, '/nowhere'), undefined)
  assert.equal(workbenchOptions({ ...CONFIG, role: 'work' }, '/nowhere'), undefined)
})

test('workbench settings: the server does not start with a driver that this machine cannot run', () => {
  assert.throws(
    () => workbenchOptions(CONFIG, '/nowhere'),
    (error) => error instanceof StartupError && /WORKBENCH_REMOTE_URL is not set/.test(error.message),
  )
  const limits = { brand: 'service', fileBytesMax: 1, diskBytesMax: 1, cpuSecondsMax: 1 }
  assert.throws(
    () => createBubblewrapDriver({ ...limits, program: '/nowhere/bwrap' }),
    (error) =>
      error instanceof StartupError && /bubblewrap needs/.test(error.message) && error.fix.includes('wasm'),
  )
})

test('workbench settings: sandboxes share the memory that the server and an import leave', () => {
  const gigabytes = (settings: object, machine: number) =>
    sandboxBytes({ ...CONFIG, ...settings }, machine * 1e9) / 1e9
  assert.equal(gigabytes({}, 4), 2.7)
  assert.equal(gigabytes({ workers: 4 }, 16), 2.7, 'each process has its part of the machine')
  assert.equal(gigabytes({}, 1), 0.4, 'always enough for one')
  assert.equal(gigabytes({ workbenchMemoryMegabytes: 900 }, 64), 0.9)
})

test('workbench settings: there are no more sandboxes than the memory is enough for, except in a remote service', () => {
  const count = (workbenchDriver: 'wasm' | 'remote') =>
    workbenchOptions(
      {
        ...CONFIG,
        workbenchDriver,
        workbenchRemoteUrl: 'https://sandboxes.example/v1',
        workbenchMemoryMegabytes: 800,
      },
      '/nowhere',
    )?.limits.sandboxesMax
  assert.deepEqual([count('wasm'), count('remote')], [3, 20])
})
