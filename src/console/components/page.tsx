import { type ReactNode, useEffect } from 'react'
import { InlineCode } from './inline-code.tsx'

interface PageProps {
  title: string
  /** One sentence about what the page is for. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a page: its title is the heading and the title of the browser tab. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Patchbay`
  }, [title])
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && (
            <p className="lead">
              <InlineCode>{lead}</InlineCode>
            </p>
          )}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </div>
  )
}

export const Card = ({
  title,
  description,
  actions,
  children,
}: {
  title?: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) => (
  <section className="card">
    {(title || actions) && (
      <div className="card-head">
        {title && <h2>{title}</h2>}
        {actions}
      </div>
    )}
    {description && (
      <p className="hint">
        <InlineCode>{description}</InlineCode>
      </p>
    )}
    {children}
  </section>
)
