"""What words are: counting, finding, comparing, cutting and setting text; knows no story, no model and no disk."""
