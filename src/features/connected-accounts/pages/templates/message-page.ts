import { ENGLISH, type Translator } from '../language/index.ts'
import type { PageMessage } from '../page-outcome.ts'
import { html } from './html.ts'
import { renderLayout } from './layout.ts'

const STATUS_LINES = { good: 'status.good', bad: 'status.bad', plain: undefined } as const

/**
 * Renders a page with one message, and with the request id if the administrator may have to look for it in
 * the log.
 */
export function renderMessagePage(
  { tone, title, text, copy, detail, branding, toolkit, continueTo, link = continueTo }: PageMessage,
  publicUrl: string,
  requestId?: string,
  translator: Translator = ENGLISH,
): string {
  const { text: write, markup } = translator
  const status = STATUS_LINES[tone]
  return renderLayout(
    {
      title,
      toolkit,
      projectLogo: branding?.logoUrl,
      projectName: branding?.displayName,
      theme: branding?.theme,
      publicUrl,
      continueTo,
      translator,
    },
    html`${
      status !== undefined &&
      html`<p class="status ${tone}">${markup(status)}</p>
`
    }<h1>${write(title)}</h1>
<p class="lead">${write(text)}</p>${
      copy !== undefined &&
      html`
<p class="copy"><code>${copy}</code></p>`
    }${
      detail !== undefined &&
      html`
<details><summary>${write(detail.label)}</summary><p class="detail">${detail.text}</p></details>`
    }${
      link &&
      html`
<a class="action" href="${link.url}">${write(link.label)}</a>`
    }${
      requestId !== undefined &&
      html`
<p class="id">${markup('request_id')} <code>${requestId}</code></p>`
    }`,
  )
}
