import type { AccountStatus } from '../../contract/schemes.ts'

/** Moves of a connected account: the statements that make them use this table. What is not here cannot happen. */
export const MOVES = {
  /** The browser was sent to the provider. */
  send: { from: ['INITIALIZING', 'INITIATED'], to: 'INITIATED' },
  /** Credentials were stored. */
  connect: { from: ['INITIALIZING', 'INITIATED'], to: 'ACTIVE' },
  /** The provider refused, or its answer could not be used. */
  fail: { from: ['INITIALIZING', 'INITIATED'], to: 'FAILED' },
  /** Nobody finished the set-up in time. */
  timeout: { from: ['INITIALIZING', 'INITIATED'], to: 'EXPIRED' },
  /** The grant is dead. */
  expire: { from: ['ACTIVE'], to: 'EXPIRED' },
  disable: { from: ['ACTIVE', 'INACTIVE'], to: 'INACTIVE' },
  enable: { from: ['ACTIVE', 'INACTIVE'], to: 'ACTIVE' },
  /** New credentials were written to the account. */
  replace: { from: ['EXPIRED', 'FAILED'], to: 'ACTIVE' },
  /** Its user authenticates once more; until then it cannot be used. An ACTIVE account is not moved: it works on until new credentials are there. */
  reopen: { from: ['EXPIRED', 'FAILED', 'INACTIVE', 'REVOKED'], to: 'INITIATED' },
  /** A walk that began on this very row brought new credentials. */
  reconnect: { from: ['INITIALIZING', 'INITIATED', 'ACTIVE'], to: 'ACTIVE' },
  /** The provider has ended the grant. */
  revoke: { from: ['ACTIVE'], to: 'REVOKED' },
  /** An operator stopped it after an incident. */
  freeze: { from: ['ACTIVE'], to: 'INACTIVE' },
  /** The provider has ended the grant of an account that an incident froze. */
  withdraw: { from: ['INACTIVE'], to: 'REVOKED' },
} as const satisfies Record<string, { from: readonly AccountStatus[]; to: AccountStatus }>

export type Move = keyof typeof MOVES

/** Moves that bring credentials: with them the account counts as connected anew. */
export const CONNECTING: readonly Move[] = ['connect', 'replace', 'reconnect']

/** Minutes that a user has to finish connecting. */
export const SETUP_MINUTES = 10

export const REASONS = {
  setupTimeout: `The connection was not finished within ${SETUP_MINUTES} minutes.`,
  changedByUser: 'Changed by the user.',
  refreshRefused: 'The provider refused to renew the access for good',
  signInRefused: 'The first sign-in was refused',
  tooManyFailures: 'The provider refused the credentials several times in a row.',
  accessEnded: 'The access has ended and the provider gave nothing to renew it with.',
  callbackFailed: 'The provider did not grant access',
  revoked: 'The access was revoked at the provider.',
  notThisUser: 'The application said that another user came back from the provider.',
  anotherIdentity: 'The last authentication was as another identity than the one before.',
  frozen: 'Frozen by the operator after an incident',
} as const

/** A text of the provider as a column can hold it. */
export const asReason = (text: string): string => text.slice(0, 500).replaceAll('\0', '').toWellFormed()
