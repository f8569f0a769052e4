import { Component, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icons.tsx'

/** Shows a defect of a page in its place, so that the rest of the console stays usable. */
export class ErrorBoundary extends Component<
  {
    /** Path of the page: another page gets another chance. */
    path: string
    children: ReactNode
  },
  { error: Error | undefined }
> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate({ path }: { path: string }): void {
    if (path !== this.props.path && this.state.error) this.setState({ error: undefined })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    // A new release has other file names; the page of the old one cannot load its parts any more.
    const isOutdated = /dynamically imported module|import/i.test(error.message)
    return (
      <div className="state" role="alert">
        <Icon name="warning" size={28} />
        <h1>{isOutdated ? 'The console was updated' : 'This page has failed'}</h1>
        <p>{isOutdated ? 'Reload the page to use the new version.' : error.message}</p>
        <Button icon="refresh" look="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    )
  }
}
