import { Type } from '../schema-type.ts'

/** The area of permissions that these operations need. */
export const area = 'sessions'

export const ServerId = Type.String({
  minLength: 1,
  maxLength: 256,
  examples: ['6f0d0c6e-91a5-4a7e-8f31-3f2a8d1b7c55'],
})
export const SessionId = Type.String({ minLength: 1, maxLength: 80, examples: ['trs_h3Pw7Yc0bR2k'] })
