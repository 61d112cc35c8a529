// First file of the library; replaced by its real sources.
