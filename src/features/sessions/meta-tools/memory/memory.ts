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

/** Decrypts the sentences of a row. */
export const decryptSentences = (encryptor: Encryptor, id: string, payload: Buffer): string[] =>
  encryptor.decrypt<string[]>(payload, encryptionContext(id))

/** What earlier calls noted about a user, by toolkit: ids, names, habits. */
export function createMemory({ db, encryptor }: { db: Pool; encryptor: Encryptor }) {
  return {
    /**
     * Returns the newest sentences of each toolkit, oldest first, without toolkits that have none. `isUntrusted`: a
     * session that had read content of other people wrote some of them.
     */
    async recall(
      projectId: string,
      userId: string,
      toolkits: readonly string[],
    ): Promise<{ facts: MemoryFacts; isUntrusted: boolean }> {
      const rows = toolkits.length ? await store.findMemories(db, projectId, userId, toolkits) : []
      const notes = rows.flatMap(({ id, toolkit, encrypted_payload: encryptedPayload, is_untrusted }) => {
        const all = decryptSentences(encryptor, id, encryptedPayload)
        return all.length ? [{ toolkit, sentences: all.slice(-RECALLED_MAX), is_untrusted }] : []
      })
      return {
        facts: Object.fromEntries(notes.map(({ toolkit, sentences }) => [toolkit, sentences])),
        isUntrusted: notes.some(({ is_untrusted }) => is_untrusted),
      }
    },

    /**
     * Adds sentences; of a toolkit the oldest make room. A sentence that is there already becomes the newest;
     * one that looks like it holds a secret is not kept.
     */
    async note(projectId: string, userId: string, facts: MemoryFacts, isUntrusted: boolean): Promise<void> {
      // In one order, so that two calls that note at once do not wait for each other in a ring.
      for (const [toolkit, sentences] of Object.entries(facts)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, TOOLKITS_PER_CALL_MAX)) {
        const newSentences = cleanSentences(sentences)
        if (!newSentences.length) continue
        const own = await encryptor.ofProject(projectId)
        await db.begin(async (tx) => {
          const row = await store.lockMemory(tx, projectId, userId, toolkit, (id) =>
            own.encrypt([], encryptionContext(id)),
          )
          if (!row) return
          const remaining = encryptor
            .decrypt<string[]>(row.encrypted_payload, encryptionContext(row.id))
            .filter((one) => !newSentences.includes(one))
          await store.updateMemory(
            tx,
            projectId,
            row.id,
            own.encrypt(
              [...remaining, ...newSentences].slice(-SENTENCES_PER_TOOLKIT_MAX),
              encryptionContext(row.id),
            ),
            // Earlier sentences of an untrusted row may still be there.
            isUntrusted || (row.is_untrusted && remaining.length > 0),
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
