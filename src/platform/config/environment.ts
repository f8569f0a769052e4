export interface Environment {
  values: Record<string, string | undefined>
  /** What is wrong with `.env`, one sentence each. */
  problems: string[]
}
