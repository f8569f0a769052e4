import { useQuery } from '@tanstack/react-query'
import { PREFIX } from '../../api/base.ts'
import type { ApiFailure } from '../../api/failure.ts'
import { fetchFrom, repeatWhenLimited } from '../../api/transport.ts'
import type { OperationSummary } from '../../../contract/operation-summary.ts'

export interface OperationList {
  tags: readonly { name: string; description: string }[]
  items: readonly OperationSummary[]
}

const TIMEOUT_MS = 20_000

/** Reads a public file of the server: it is the same for everybody, so it needs no session. @throws ApiFailure */
export async function readPublic<T>(path: string, signal: AbortSignal, type: 'json' | 'text'): Promise<T> {
  const read = () => fetchFrom(`${PREFIX}${path}`, {}, signal, TIMEOUT_MS)
  const response = await repeatWhenLimited(read, signal)
  return (await response[type]()) as T
}

/** A public file, which does not change while the page is open. */
export const usePublic = <T>(path: string | undefined, type: 'json' | 'text' = 'json') =>
  useQuery<T, ApiFailure>({
    queryKey: ['public', path],
    queryFn: ({ signal }) => readPublic<T>(path as string, signal, type),
    enabled: path !== undefined,
    staleTime: Infinity,
  })

/** The operations of the current version of the API. */
export const useOperations = () => usePublic<OperationList>('/openapi/operations.json?api=v3.1')
