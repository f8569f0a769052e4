import { basename, dirname } from 'node:path'
import { realpath } from 'node:fs/promises'
import { catalogFromSources } from './load.ts'
import { type Diagnostic, ManifestError } from '../diagnostics.ts'
import { readToolkit } from './read.ts'
import type { Catalog } from '../../types/index.ts'

/** The catalogue of one toolkit: that of a folder, whatever is beside it. @throws ManifestError with every mistake of its files */
export async function loadToolkit(folder: string): Promise<Catalog> {
  const mistakes: Diagnostic[] = []
  const real = await realpath(folder)
  const source = await readToolkit(dirname(real), basename(real), mistakes)
  if (!source || mistakes.length) throw new ManifestError(mistakes)
  return catalogFromSources([source])
}
