import { AsyncLocalStorage } from 'node:async_hooks'

/** Ids of the projects, separated by commas; undefined outside of any project. */
export type ProjectScope = string | undefined

const scopes = new AsyncLocalStorage<ProjectScope>()

/**
 * Runs work for one project. Its statements, also those after an `await`, read and change rows of this project only:
 * PostgreSQL enforces it by row-level security.
 */
export const runInProject = <T>(projectId: string, work: () => T): T => scopes.run(projectId, work)

/** Runs work whose statements combine calls of several projects. */
export const runInScope = <T>(scope: ProjectScope, work: () => T): T => scopes.run(scope, work)

/**
 * Runs work that belongs to no project, although its caller does: the job queue, keys of callers, statements that
 * serve all projects. Each use says why.
 */
export const runOutsideProjects = <T>(work: () => T): T => scopes.run(undefined, work)

/** Returns the scope of the running call. */
export const currentScope = (): ProjectScope => scopes.getStore()

/** Returns the scope of calls that share a statement. One call outside of any project lifts the restriction. */
export function joinScopes(parts: readonly ProjectScope[]): ProjectScope {
  const first = parts[0]
  if (parts.every((part) => part === first)) return first
  const ids = new Set<string>()
  for (const part of parts) {
    if (part === undefined) return undefined
    for (const id of part.split(',')) ids.add(id)
  }
  return [...ids].join(',')
}
