package rest

// Deleted is the response of a removal.
type Deleted struct {
	Acknowledged bool `json:"acknowledged"`
	DeletedCount int  `json:"deletedCount" doc:"Number of deleted items; 0 if there was nothing to delete"`
}
