import { type ProjectConfig } from '../../../contract/projects/index.ts'
import { accentColors, CARD_COLORS, contrast, type Scheme } from '../../../contract/theme-colors.ts'
import type { ApiFailure } from '../../api/index.ts'
import { Card, errorOf, TextField } from '../../components/index.ts'

export interface FieldsProps {
  values: ProjectConfig
  set(change: Partial<ProjectConfig>): void
  failure: ApiFailure | null
}

const COLOR = /^#[0-9A-Fa-f]{6}$/
/** The accent colours of pages without a theme. */
const DEFAULT_ACCENT = '#1f5fd0'

/** What users see on hosted pages, with a preview in both themes. */
export const BrandingFields = ({ values, set, failure }: FieldsProps) => (
  <Card
    title="Branding"
    description="Your users see this on the pages where they connect accounts and approve calls."
  >
    <div className="split">
      <div>
        <TextField
          label="Display name"
          maxLength={128}
          placeholder="Name of the project"
          value={values.display_name ?? ''}
          onChange={(event) => set({ display_name: event.target.value || null })}
          error={errorOf(failure, 'display_name')}
        />
        <TextField
          label="Accent colour"
          maxLength={7}
          placeholder={DEFAULT_ACCENT}
          value={values.accent_color ?? ''}
          onChange={(event) => set({ accent_color: event.target.value || null })}
          error={colorError(values.accent_color) ?? errorOf(failure, 'accent_color')}
          hint={colorHint(values.accent_color)}
        />
        {LINKS.map(([field, label]) => (
          <TextField
            key={field}
            label={label}
            type="url"
            placeholder="https://…"
            value={values[field] ?? ''}
            onChange={(event) => set({ [field]: event.target.value || null })}
            error={errorOf(failure, field)}
          />
        ))}
      </div>
      <div className="previews">
        <Preview values={values} scheme="light" />
        <Preview values={values} scheme="dark" />
      </div>
    </div>
  </Card>
)

const LINKS = [
  ['logo_url', 'Logo URL'],
  ['support_url', 'Support URL'],
  ['privacy_url', 'Privacy URL'],
] as const

const colorError = (color: string | null): string | undefined =>
  color === null || COLOR.test(color) ? undefined : 'Enter six hexadecimal digits, such as #0f766e.'

/** Says when the pages show another shade than the one that was entered. */
function colorHint(color: string | null): string {
  const isChanged =
    color !== null &&
    COLOR.test(color) &&
    (['light', 'dark'] as const).some((scheme) => contrast(color, CARD_COLORS[scheme]) < 4.5)
  return isChanged
    ? 'As #rrggbb. It is made darker or lighter in one theme, so that text stays readable.'
    : 'As #rrggbb.'
}

/** A small connect page. The logo is loaded on hosted pages only: the console loads nothing from other servers. */
function Preview({ values, scheme }: { values: ProjectConfig; scheme: Scheme }) {
  const color =
    values.accent_color !== null && COLOR.test(values.accent_color) ? values.accent_color : DEFAULT_ACCENT
  const { accent, onAccent } = accentColors(color, scheme)
  const name = values.display_name || 'Your project'
  return (
    <figure className={`page-preview ${scheme}`} aria-label={`Connect page, ${scheme}`}>
      <div className="tiles" aria-hidden="true">
        <span>{[...name][0]}</span>
        <span>G</span>
      </div>
      <p>
        <strong>Connect GitHub</strong>
      </p>
      <p>{name} asks for access to your GitHub account.</p>
      <span className="action" style={{ background: accent, color: onAccent }}>
        Continue to GitHub
      </span>
      {(values.support_url || values.privacy_url) && (
        <p className="links">
          {values.support_url && <span>Support</span>} {values.privacy_url && <span>Privacy</span>}
        </p>
      )}
    </figure>
  )
}
