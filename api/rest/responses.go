package rest

// Deleted is the response of a removal.
type Deleted struct {
	Acknowledged bool `json:"acknowledged"`
	DeletedCount int  `json:"deletedCount" doc:"0 when there was nothing to delete"`
}
