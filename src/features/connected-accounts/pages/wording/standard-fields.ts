import type { TextKey } from '../language/index.ts'
import type { FormField } from '../templates/field.ts'

/** The fields that every toolkit with such a scheme has unless its manifest describes them itself. */
const STANDARD_FIELDS: Readonly<Record<string, { label: TextKey; hint: TextKey }>> = {
  'API key from your account at the provider.': { label: 'standard.api_key', hint: 'standard.api_key_text' },
  'User name of the account.': { label: 'standard.user_name', hint: 'standard.user_name_text' },
  'Password of the account; may be empty.': { label: 'standard.password', hint: 'standard.password_text' },
  'Access token from the provider. It is used unchanged and never refreshed.': {
    label: 'standard.token',
    hint: 'standard.token_text',
  },
}

/** Returns the texts of a standard field, which exist in every language. The texts of manifests exist in one. */
export const standardFieldTexts = ({
  description,
}: Pick<FormField, 'description'>): { label: TextKey; hint: TextKey } | undefined =>
  Object.hasOwn(STANDARD_FIELDS, description) ? STANDARD_FIELDS[description] : undefined
