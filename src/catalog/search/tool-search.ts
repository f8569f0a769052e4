import { readFileSync } from 'node:fs'
import type { SearchToolkit } from './document.ts'
import { find, type FindOptions, type FoundBySearch, type Part, partOf } from './engine.ts'
import otherNames from './other-names.json' with { type: 'json' }
import { buildSegment, type Segment } from './segment.ts'
import { readVectors, type Vectors } from './vectors.ts'

/** The search over the toolkits of the instance and those of projects. */
export interface ToolSearch {
  /** Tools of the instance and of the project, as one ranking; without a project those of the instance only. Another project's never appear. */
  find(text: string, options: FindOptions & { readonly project?: string | undefined }): FoundBySearch
  /** Adds a toolkit of a project, or takes its new version in place of the old. Only this toolkit is indexed. */
  putToolkit(project: string, toolkit: SearchToolkit): void
  /** Nothing happens when it is not there. */
  removeToolkit(project: string, slug: string): void
}

let model: Vectors | undefined

/** The word vectors that come with the program, read once. */
export function wordVectors(): Vectors {
  return model ??= readVectors(readFileSync(new URL('vectors.bin', import.meta.url)))
}

/** A search over an index of the toolkits of the instance. */
export function createToolSearch(base: Segment): ToolSearch {
  const instance = partOf(base, otherNames)
  const projects = new Map<string, readonly Part[]>()

  /** The toolkits of a project by their slug, so that the order in which they came does not matter. */
  function keep(project: string, parts: readonly Part[]): void {
    if (parts.length === 0) projects.delete(project)
    else projects.set(project, parts.toSorted((a, b) => slugOf(a) < slugOf(b) ? -1 : 1))
  }

  return {
    find: (text, { project, ...options }) => find([instance, ...project === undefined ? [] : projects.get(project) ?? []], text, wordVectors(), options),
    putToolkit(project, toolkit) {
      keep(project, [...(projects.get(project) ?? []).filter((part) => slugOf(part) !== toolkit.slug), partOf(indexOf([toolkit]), otherNames)])
    },
    removeToolkit(project, slug) {
      keep(project, (projects.get(project) ?? []).filter((part) => slugOf(part) !== slug))
    },
  }
}

/** An index with the vectors that come with the program. */
export const indexOf = (toolkits: Iterable<SearchToolkit>): Segment => buildSegment(toolkits, wordVectors())

const slugOf = ({ segment }: Part): string => segment.toolkits[0]!.slug
