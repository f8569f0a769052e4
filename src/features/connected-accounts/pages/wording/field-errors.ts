import type { FieldError } from '../../../auth-configs/index.ts'
import { type PageText, text } from '../language/index.ts'

/** Explains to the user how to fix a field. */
export function fieldErrorText({
  problem: fault,
  field: { display_name: name, example, enum: options },
}: FieldError): PageText {
  if (fault === 'missing') return text(options ? 'field.choose' : 'field.enter', { name })
  if (fault === 'enum') return text('field.enum', { name })
  return [text('field.format', { name }), example ? text('field.example', { example }) : text('field.copy')]
}
