import { lookupOf, mintAll } from '../../auth-schemes/index.ts'
import type { Connection } from '../types.ts'
import { type Fresh, translation } from './build-request.ts'

/** Makes the tokens that the manifest wants made for each request. @throws ApiError when the connection has no key that could. */
export async function fresh(connection: Connection, now: number): Promise<Fresh> {
  const setup = connection.kind === 'account' || connection.kind === 'custom' ? connection.setup : undefined
  const tokens = setup?.scheme.manifest.apply?.mint
  if (!setup || !tokens) return { now, minted: NOTHING }
  try {
    return { now, minted: await mintAll(tokens, lookupOf(setup), now) }
  } catch (error) {
    throw translation(error)
  }
}

const NOTHING = {}
