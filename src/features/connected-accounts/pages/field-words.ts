import type { FieldFault } from '../../auth-configs/index.ts'

/** What the user can do about a field, said beside it. */
export function faultWords({
  fault,
  field: { display_name: name, example, enum: allowed },
}: FieldFault): string {
  if (fault === 'missing') return allowed ? `Choose a value for ${name}.` : `Enter a value for ${name}.`
  if (fault === 'enum') return `Choose one of the values of the list for ${name}.`
  return `${name} does not have the right form. ${example ? `It looks like this: ${example}` : 'Copy it again, without anything before or after it.'}`
}
