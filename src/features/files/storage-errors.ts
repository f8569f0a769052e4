import { ApiError } from '../../platform/http/api-error.ts'
import { StorageError } from '../../platform/storage/index.ts'

/** Converts errors of the object store into an ApiError without details. */
export async function translateStorageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorageError)
      throw new ApiError(
        'File_StorageUnavailable',
        'The file storage of this server cannot be used at the moment.',
        { cause: error },
      )
    throw error
  }
}
