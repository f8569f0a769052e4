import { convert, type Imported, readDocument } from '../../importers/index.ts'
import { getOwn, nonEmptyString, texts } from '../../importers/json.ts'
import { packCategories } from './categories.ts'
import { packName } from './names.ts'

export interface PackDocument {
  readonly key: string
  readonly slug: string
  /** A built-in toolkit of the same application has the plain slug. */
  readonly isSecond: boolean
  /** Slugs of other toolkits that begin with this one's and `_`. */
  readonly longer: readonly string[]
  /** Tool slugs that stay, by operation. */
  readonly former?: ReadonlyMap<string, string> | undefined
}

/** Converts a document of the directory to a toolkit. @throws ImportRejected */
export function packToolkit(source: string, { key, slug, isSecond, longer, former }: PackDocument): Imported {
  const root = readDocument(source)
  const info = getOwn(root, 'info')
  const name = packName(key, slug, nonEmptyString(getOwn(info, 'title')) ?? '', isSecond)
  const { imported } = convert(root, {
    slug,
    name,
    former,
    foreign: longer.map((one) => `${one.toUpperCase()}_`),
  })
  const { toolkit } = imported
  const description = isSecond
    ? `The whole API as its published description has it. ${toolkit.description}`
    : toolkit.description
  return {
    ...imported,
    toolkit: {
      ...toolkit,
      description,
      categories: packCategories(key, slug, texts(getOwn(info, 'x-apisguru-categories'))),
    },
  }
}

/** For each slug, those of the others that begin with it and `_`. */
export function longerSlugs(slugs: readonly string[]): Map<string, string[]> {
  const sorted = [...slugs].sort()
  return new Map(
    sorted.map((slug, at) => {
      const longer: string[] = []
      // `_` sorts after digits and before letters: all that begin alike stand together.
      for (let next = at + 1; next < sorted.length && sorted[next]!.startsWith(slug); next++)
        if (sorted[next]![slug.length] === '_') longer.push(sorted[next]!)
      return [slug, longer]
    }),
  )
}
