import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Clock } from '../../platform/clock.ts'
import type { Encryptor } from '../../platform/crypto/index.ts'
import { type Db, type Pool, sql } from '../../platform/db/sql.ts'
import { ApiError, badRequest } from '../../platform/http/api-error.ts'
import { randomText } from '../../platform/ids.ts'

export interface SecondFactorDeps {
  db: Pool
  clock: Clock
  encryptor: Encryptor
}

const PERIOD_SECONDS = 30
/** Clocks of phones may be half a minute wrong. */
const WINDOW_STEPS = 1
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
/** 16 letters and digits have 95 bits. */
const RECOVERY_CHARACTERS = 16
const ISSUER = 'Patchbay'

const context = (memberId: string) => `member_totp:${memberId}:secret`
const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest()
const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS, digits: 6 })

/** Accepts a code once: a step that was used, or an earlier one, is rejected, also when two requests race. */
async function useCode(
  { db, clock, encryptor }: SecondFactorDeps,
  memberId: string,
  code: string,
): Promise<boolean> {
  const row = await db.one<{ encrypted_secret: Buffer }>(
    sql`select encrypted_secret from member_totp where member_id = ${memberId}`,
  )
  if (!row) return false
  const now = clock.now()
  const secret = encryptor.decrypt<string>(row.encrypted_secret, context(memberId))
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: WINDOW_STEPS })
  if (delta === null) return false
  const step = Math.floor(now / 1_000 / PERIOD_SECONDS) + delta
  return (
    (await db.run(
      sql`update member_totp set last_step = ${step} where member_id = ${memberId} and last_step < ${step}`,
    )) === 1
  )
}

const useRecoveryCode = async ({ db }: SecondFactorDeps, memberId: string, code: string): Promise<boolean> =>
  (await db.run(
    sql`delete from member_recovery_codes where member_id = ${memberId} and code_hash = ${codeHash(code)}`,
  )) === 1

/** Time-based one-time passwords (RFC 6238) and recovery codes. */
export function createSecondFactor(deps: SecondFactorDeps) {
  const { db, encryptor } = deps
  return {
    /** Checks the code of a sign-in. @throws ApiError 401 */
    async check(memberId: string, code: string | undefined): Promise<void> {
      if (!code) throw new ApiError('Member_CodeRequired', 'A code of your authenticator app is needed.')
      const text = code.replace(/[\s-]/g, '')
      const isValid = /^\d{6}$/.test(text)
        ? await useCode(deps, memberId, text)
        : await useRecoveryCode(deps, memberId, text)
      if (!isValid)
        throw new ApiError(
          'Member_CodeRequired',
          'This code is wrong, or was used already. Wait for the next one.',
        )
    },

    /** Creates a secret, which counts after `confirm`. Returns the URL that authenticator apps scan. */
    async start(memberId: string, email: string): Promise<{ secret: string; url: string }> {
      const secret = new Secret({ size: SECRET_BYTES }).base32
      const encrypted = encryptor.encryptWithRing(secret, context(memberId))
      const changed = await db.run(sql`
        insert into member_totp (member_id, encrypted_secret) values (${memberId}, ${encrypted})
        on conflict (member_id) do update set encrypted_secret = excluded.encrypted_secret, last_step = 0
        where member_totp.confirmed_at is null`)
      if (changed === 0)
        throw badRequest('The second factor is on already. Turn it off before you set up another device.')
      return { secret, url: totpOf(secret, email).toString() }
    },

    /** Turns the second factor on, with the first code of the device. Returns the recovery codes. */
    async confirm(memberId: string, code: string): Promise<string[]> {
      if (!(await useCode(deps, memberId, code.replace(/\s/g, ''))))
        throw badRequest(
          'Error in payload.code: is wrong. Check the clock of your device, and enter the next code',
        )
      const codes = Array.from({ length: RECOVERY_CODES }, () => randomText(RECOVERY_CHARACTERS))
      await db.begin(async (tx) => {
        await tx.run(sql`update member_totp set confirmed_at = now() where member_id = ${memberId}`)
        await tx.run(sql`delete from member_recovery_codes where member_id = ${memberId}`)
        for (const one of codes)
          await tx.run(
            sql`insert into member_recovery_codes (member_id, code_hash) values (${memberId}, ${codeHash(one)})`,
          )
      })
      return codes
    },

    async remove(memberId: string, tx: Db = db): Promise<void> {
      await tx.run(sql`delete from member_totp where member_id = ${memberId}`)
      await tx.run(sql`delete from member_recovery_codes where member_id = ${memberId}`)
    },
  }
}
