import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { StartupError } from '../../src/platform/startup-error.ts'
import { createWasmDriver } from '../../src/sandbox/index.ts'
import { createTestHost, runIn, sandboxCache } from './drivers.ts'
import { TINY_LIBRARY, wheelFolder, type WheelFiles, zip } from './wheels.ts'

const RUN_MS = 60_000
const PLATFORM = 'cp314-cp314-pyemscripten_2026_0_wasm32'
const LIBRARY = 'tiny.cpython-314-wasm32-emscripten.so'

const driverOf = (packagesDir: string) =>
  createWasmDriver({
    cacheDir: sandboxCache(),
    brand: 'service',
    fileBytesMax: 1_000_000,
    diskBytesMax: 50_000_000,
    cpuSecondsMax: 300,
    packagesDir,
  })

/** A sandbox with the wheels of a folder. */
async function sandboxWith(t: TestContext, wheels: Readonly<Record<string, WheelFiles>>) {
  const driver = driverOf(wheelFolder(t, wheels))
  t.after(() => driver.close())
  const sandbox = await driver.start('standard')
  const host = createTestHost()
  return (code: string, kind: 'python' | 'bash' = 'python') =>
    runIn(sandbox, { name: 'packages', kind, code }, host, RUN_MS)
}

const SHEETS: WheelFiles = {
  'sheets/__init__.py': 'from .cells import sum_of\n',
  'sheets/cells.py': 'import cellnames\ndef sum_of(cells):\n    return cellnames.label(sum(cells))\n',
  'sheets/data.csv': 'a,b\n',
  'sheets-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: sheets\nVersion: 1.0\n',
}
const CELL_NAMES: WheelFiles = {
  'cellnames.py': 'def label(n):\n    return f"= {n}"\n',
  'cellnames-2.0.data/purelib/cellmore.py': 'MORE = 7\n',
}

test('packages: code imports wheels of the folder with what they import, their files and their version', async (t) => {
  const run = await sandboxWith(t, {
    'sheets-1.0-py3-none-any.whl': SHEETS,
    'cellnames-2.0-py2.py3-none-any.whl': CELL_NAMES,
  })
  const { results, error } = await run(
    'import sheets, cellmore, importlib.resources, importlib.metadata\n' +
      'data = importlib.resources.files("sheets").joinpath("data.csv").read_text()\n' +
      '[sheets.sum_of([20, 22]), cellmore.MORE, data, importlib.metadata.version("sheets")]',
  )
  assert.equal(error, '')
  assert.equal(results, "['= 42', 7, 'a,b\\n', '1.0']")
  assert.match((await run('import openpyxl')).error, /No module named 'openpyxl'/)
  const shell = await run('python3 -c "import sheets; print(sheets.sum_of([1]))"', 'bash')
  assert.equal(shell.stdout, '= 1\n')
})

test('packages: a native module of a wheel can be imported, and no other WebAssembly', async (t) => {
  const run = await sandboxWith(t, { [`tiny-1.0-${PLATFORM}.whl`]: { [LIBRARY]: TINY_LIBRARY } })
  // Each in a folder of its own: Emscripten does not load a file of the same name twice.
  const load = (path: string, change: string) =>
    'import importlib.machinery as m, importlib.util as u, os\n' +
    `os.makedirs("${path}")\n` +
    `bytes_ = bytes.fromhex("${Buffer.from(TINY_LIBRARY).toString('hex')}")${change}\n` +
    `open("${path}/${LIBRARY}", "wb").write(bytes_)\n` +
    `loader = m.ExtensionFileLoader("tiny", "${path}/${LIBRARY}")\n` +
    'u.module_from_spec(u.spec_from_loader("tiny", loader)).ANSWER'
  const before = await run(load('/tmp/same', ''))
  assert.match(before.error, /not a library of an installed package/)
  assert.equal((await run('import tiny\ntiny.ANSWER')).results, '42')
  // An empty custom section more: the same code with another hash.
  const changed = await run(load('/tmp/changed', ' + bytes([0, 2, 1, 0x78])'))
  assert.match(changed.error, /not a library of an installed package/)
  assert.match((await run('import ctypes\nctypes.CDLL("/tmp/changed/x.so")')).error, /not available/)
  assert.match((await run('ctypes.pythonapi.Py_GetVersion()')).error, /TypeError/)
})

test('packages: the server does not start with a wheel that it cannot verify or use', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-wheels-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const rejects = (expected: RegExp) =>
    assert.throws(
      () => driverOf(folder),
      (error) => error instanceof StartupError && expected.test(error.message) && error.fix !== '',
    )
  const wheel = join(folder, 'sheets-1.0-py3-none-any.whl')
  writeFileSync(wheel, zip(SHEETS))
  rejects(/sheets-1\.0-py3-none-any\.whl in WORKBENCH_PACKAGES_DIR has no known hash/)
  writeFileSync(join(folder, 'SHA256SUMS'), `${'0'.repeat(64)}  sheets-1.0-py3-none-any.whl\n`)
  rejects(/has the SHA-256 hash [0-9a-f]{64}, and 0{64} is expected/)
  rmSync(wheel)
  // The list of Pyodide has the hash of this file.
  const listed = join(folder, 'six-1.17.0-py2.py3-none-any.whl')
  writeFileSync(listed, zip(SHEETS))
  rejects(/six-1\.17\.0.*is expected/)
  rmSync(listed)
  writeFileSync(join(folder, 'lib-1.0-cp314-cp314-manylinux_2_28_x86_64.whl'), zip(SHEETS))
  rejects(/is not for this Python/)
  rmSync(folder, { recursive: true })
  rejects(/cannot be read/)
})

test('packages: a wheel that changes after the start of the server is not imported', async (t) => {
  const folder = wheelFolder(t, { 'cellnames-2.0-py3-none-any.whl': CELL_NAMES })
  const driver = driverOf(folder)
  t.after(() => driver.close())
  appendFileSync(join(folder, 'cellnames-2.0-py3-none-any.whl'), 'more')
  const sandbox = await driver.start('standard')
  const code = 'import cellnames'
  const { error } = await runIn(sandbox, { name: 'changed', kind: 'python', code }, createTestHost(), RUN_MS)
  assert.match(error, /A package was changed after the server started/)
})
