import { readFile } from 'node:fs/promises'

/** Statements that import a module, at the beginning of a line. */
const IMPORTED = /^(?:import|export)\b[^'"()]*['"]([^'"\n]+)['"]/gm
/** Steps that take less run without a rest between them. */
const STEP_MS = 2

/**
 * Imports a module of a large package after those that it imports, one at a time. `import()` evaluates all of them in
 * one turn of the event loop, which takes 80 ms for a hundred modules. A module that is not found here, because its
 * import is written in an unusual way, is loaded together with the one that imports it.
 * @param url of a file
 * @param rest is awaited between steps, so that other work runs meanwhile
 */
export async function importInSteps(url: string, rest: () => Promise<void>, stepMs = STEP_MS): Promise<void> {
  const seen = new Set<string>()
  let startedAt = performance.now()
  const endStep = async () => {
    if (performance.now() - startedAt < stepMs) return
    await rest()
    startedAt = performance.now()
  }
  const load = async (module: string): Promise<void> => {
    if (seen.has(module)) return
    seen.add(module)
    const text = await readFile(new URL(module), 'utf8')
    for (const [, specifier] of text.matchAll(IMPORTED)) {
      const imported = resolve(specifier!, module)
      await endStep()
      if (imported?.startsWith('file:')) await load(imported)
    }
    await import(module)
    await endStep()
  }
  await load(url)
}

/** Returns undefined for a package that only the importing module finds. */
function resolve(specifier: string, parent: string): string | undefined {
  if (specifier.startsWith('.')) return new URL(specifier, parent).href
  try {
    return import.meta.resolve(specifier)
  } catch {
    return undefined
  }
}
