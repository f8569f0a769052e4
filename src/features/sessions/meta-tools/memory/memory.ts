import type { Encryptor } from '../../../../platform/crypto/index.ts'
import type { Pool } from '../../../../platform/db/sql.ts'
import { containsSecret } from '../../../../platform/secret-detection.ts'
import * as store from './store.ts'

/** Sentences by toolkit. */
export type MemoryFacts = Readonly<Record<string, readonly string[]>>

const SENTENCES_PER_TOOLKIT_MAX = 50
const CHARACTERS_MAX = 300
const TOOLKITS_PER_CALL_MAX = 20
/** In one search answer, of one toolkit: the newest. */
const RECALLED_MAX = 10

const encryptionContext = (id: string) => `user_memories:${id}:encrypted_payload`

/** What earlier calls noted about a user, by toolkit: ids, names, habits. */
export function createMemory({ db, encryptor }: { db: Pool; encryptor: Encryptor }) {
  return {
    /** The newest sentences of each toolkit, oldest first; toolkits without any are left out. */
    async recall(projectId: string, userId: string, toolkits: readonly string[]): Promise<MemoryFacts> {
      if (!toolkits.length) return {}
      const rows = await store.findMemories(db, projectId, userId, toolkits)
      return Object.fromEntries(
        rows
          .map(
            ({ id, toolkit, encrypted_payload: encryptedPayload }) =>
              [
                toolkit,
                encryptor.decrypt<string[]>(encryptedPayload, encryptionContext(id)).slice(-RECALLED_MAX),
              ] as const,
          )
          .filter(([, sentences]) => sentences.length),
      )
    },

    /**
     * Adds sentences; of a toolkit the oldest make room. A sentence that is there already becomes the newest;
     * one that looks like it holds a secret is not kept.
     */
    async note(projectId: string, userId: string, facts: MemoryFacts): Promise<void> {
      // In one order, so that two calls that note at once do not wait for each other in a ring.
      for (const [toolkit, sentences] of Object.entries(facts)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, TOOLKITS_PER_CALL_MAX)) {
        const newSentences = cleanSentences(sentences)
        if (!newSentences.length) continue
        await db.begin(async (tx) => {
          const row = await store.lockMemory(tx, projectId, userId, toolkit, (id) =>
            encryptor.encrypt([], encryptionContext(id)),
          )
          if (!row) return
          const remaining = encryptor
            .decrypt<string[]>(row.encrypted_payload, encryptionContext(row.id))
            .filter((one) => !newSentences.includes(one))
          await store.updateMemory(
            tx,
            projectId,
            row.id,
            encryptor.encrypt(
              [...remaining, ...newSentences].slice(-SENTENCES_PER_TOOLKIT_MAX),
              encryptionContext(row.id),
            ),
          )
        })
      }
    },
  }
}
export type UserMemory = ReturnType<typeof createMemory>

/** One line each, cut to size, each once. */
export function cleanSentences(sentences: readonly unknown[]): string[] {
  const lines = sentences
    .slice(-SENTENCES_PER_TOOLKIT_MAX)
    .filter((one) => typeof one === 'string')
    .map((one) =>
      one
        .slice(0, CHARACTERS_MAX * 2)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, CHARACTERS_MAX)
        .toWellFormed(),
    )
  return [...new Set(lines)].filter((line) => line && !containsSecret(line))
}
