"""What several pages of the account share: texts of statuses, the faces of a page, trackers, actions, drawings."""
