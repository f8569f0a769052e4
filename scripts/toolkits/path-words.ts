import { wordsOf } from '../../src/catalog/importers/tools/words.ts'
import { withoutExtension } from './nouns.ts'

const NO_RESOURCE =
  /^v\d+(?:\.\d+)*(?:alpha|beta)?\d*$|^\d+(?:\.\d+)*$|^api$|^rest$|^restapi$|^json$|^xml$|^\$|^microsoft\.graph\./

/** The words of a segment of a path, in lower case. */
export const lowerWords = (segment: string): string => wordsOf(segment).join(' ').toLowerCase()

/** Segments of a path without parameters, versions, extensions of files and the words `api` and `rest`. */
export const fixedSegments = (path: string): string[] =>
  path
    .replace(/^https?:\/\/[^/]*/, '')
    .split(/[/?]/)
    .filter((segment) => segment !== '' && !segment.includes('{') && !NO_RESOURCE.test(segment))
    .map(withoutExtension)
