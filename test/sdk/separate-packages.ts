import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../docs/markdown.ts'

const INSTALL_MS_MAX = 300_000

/** Returns the dependencies of a folder that has packages of its own. */
export function separateDependencies(folder: string): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies
}

/** Installs the packages of a folder, unless they are installed: too many MB for everybody who installs this project. */
export function installSeparately(folder: string): void {
  const dependencies = Object.entries(separateDependencies(folder))
  if (dependencies.every(([name, version]) => installedVersion(folder, name) === version)) return
  console.error(`${folder}: installing its packages with npm`)
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['ci', '--prefix', folder, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'],
    { cwd: ROOT, encoding: 'utf8', timeout: INSTALL_MS_MAX },
  )
  assert.equal(status, 0, `npm could not install the packages of ${folder}:\n${stdout}${stderr}`)
}

function installedVersion(folder: string, name: string): string | undefined {
  const file = join(ROOT, folder, 'node_modules', name, 'package.json')
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    : undefined
}
