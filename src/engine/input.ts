import { inProject, type Shared } from '../catalog/index.ts'
import { findTool } from './pipeline/find-tool.ts'
import { argumentReader } from './pipeline/read-arguments.ts'
import { type Filled, type Text, textToArguments } from './pipeline/text-to-arguments.ts'
import type { EngineDeps, Execution } from './types.ts'

/** Turns a task in words into the arguments of a tool, without running it. */
export function inputEngine(shared: Shared<EngineDeps>) {
  const readArguments = argumentReader()

  return async function input(
    call: Pick<Execution, 'projectId' | 'toolSlug' | 'version' | 'signal'>,
    text: Text,
  ): Promise<Filled> {
    const deps = await inProject<EngineDeps>(shared, call.projectId)
    return textToArguments(deps.model, findTool(deps.catalog, call), text, readArguments, call.signal)
  }
}

export type Input = ReturnType<typeof inputEngine>
