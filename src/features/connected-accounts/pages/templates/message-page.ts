import type { PageMessage } from '../page-outcome.ts'
import { html } from './html.ts'
import { renderLayout } from './layout.ts'

const STATUS_LINES = { good: 'Connected', bad: 'Not connected', plain: undefined } as const

/**
 * Renders a page with one message, and with the request id if the administrator may have to look for it in
 * the log.
 */
export function renderMessagePage(
  { tone, title, text, copy, detail, branding, toolkit, continueTo, link = continueTo }: PageMessage,
  publicUrl: string,
  requestId?: string,
): string {
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
    },
    html`${
      status !== undefined &&
      html`<p class="status ${tone}">${status}</p>
`
    }<h1>${title}</h1>
<p class="lead">${text}</p>${
      copy !== undefined &&
      html`
<p class="copy"><code>${copy}</code></p>`
    }${
      detail !== undefined &&
      html`
<details><summary>${detail.label}</summary><p class="detail">${detail.text}</p></details>`
    }${
      link &&
      html`
<a class="action" href="${link.url}">${link.label}</a>`
    }${
      requestId !== undefined &&
      html`
<p class="id">Request id <code>${requestId}</code></p>`
    }`,
  )
}
