import type { FieldError } from '../../../auth-configs/index.ts'

/** Explains to the user how to fix a field. */
export function fieldErrorText({
  problem: fault,
  field: { display_name: name, example, enum: options },
}: FieldError): string {
  if (fault === 'missing') return options ? `Choose a value for ${name}.` : `Enter a value for ${name}.`
  if (fault === 'enum') return `Choose one of the values in the list for ${name}.`
  const hint = example ? `Example: ${example}` : 'Copy it again, without anything before or after it.'
  return `${name} does not have the right format. ${hint}`
}
