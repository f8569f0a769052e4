import { useState } from 'react'
import { type ApiFailure, failureOf } from './failure.ts'

/** Runs one request at a time, and returns its failure for the form. */
export function useRequest() {
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (request: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await request()
    } catch (error) {
      setFailure(failureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { failure, isBusy, run }
}
